-- Older nodes: run beside it.
-- Who invited: an invitation ends with the right of its inviter. Null where an older release made it; an older node that repeats one leaves the former inviter there.
alter table invitations add column invited_by uuid;
