-- Who previews: a link in a preview leads only to drafts that this user may read. Null for live chats, and for previews without a token.
alter table sessions add column previewed_by uuid;
