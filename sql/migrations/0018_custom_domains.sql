-- A workspace claims domains and proves that they are its own. A bot is served at its custom domain while its workspace's claim is verified, so
-- several workspaces may have bots that want the same one.

create table custom_domains (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- A host, in lower case.
  name text not null,
  -- What a TXT record or a file of the domain has to say.
  proof text not null,
  state text not null default 'pending' check (state in ('pending', 'verified', 'failed')),
  -- Where the last check that succeeded found the proof.
  proved_by text check (proved_by in ('dns', 'file')),
  -- Since when the proof is missing; null while it is there.
  unproved_since timestamptz(3) default clock(),
  -- What the last check found instead of it.
  problem text,
  verified_at timestamptz(3),
  checked_at timestamptz(3),
  next_check_at timestamptz(3) not null default clock(),
  created_at timestamptz(3) not null default clock(),
  updated_at timestamptz(3) not null default clock()
);
create unique index custom_domains_claim on custom_domains (workspace_id, name);
create unique index custom_domains_verified on custom_domains (name) where state = 'verified';
create index custom_domains_list on custom_domains (workspace_id, created_at desc, id desc);
create index custom_domains_due on custom_domains (next_check_at) where state <> 'failed';

drop index bots_custom_domain;
create unique index bots_custom_domain on bots (lower(custom_domain), workspace_id);

-- Domains from before are served on, for as long as one whose proof is lost, unless somebody else proves them. Where several workspaces
-- have paths of one domain, it is the workspace whose bot is the oldest.
with claims as (
  select
    workspace_id,
    split_part(lower(custom_domain), '/', 1) as name,
    min(created_at) as since
  from bots
  where custom_domain is not null
    and not is_archived
  group by 1, 2
),
ranked as (
  select *, row_number() over (partition by name order by since, workspace_id) as place
  from claims
)
insert into custom_domains (id, workspace_id, name, proof, state, problem)
select
  gen_random_uuid(),
  workspace_id,
  name,
  replace(gen_random_uuid()::text, '-', ''),
  case place when 1 then 'verified' else 'pending' end,
  'It was set before domains had to be proved.'
from ranked;
