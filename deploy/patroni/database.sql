-- Once, on the primary: psql -h 198.51.100.11 -U postgres -f database.sql
create role parley login password 'change-me-parley';
create database parley owner parley encoding 'UTF8' template template0;
