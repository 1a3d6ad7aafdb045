-- Older nodes: run beside it.
-- Where in a draft somebody is beside the card: their pointer, their place in a text, and what of the canvas they see, as one object. An older node leaves it as it is.
alter table presences add column place json;
