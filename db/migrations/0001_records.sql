-- Records, their concepts and vectors, quarantine and audit.
-- Every key of clinical rows starts with patient_ref, so the table can be hash-partitioned or distributed by it.

create extension if not exists vector;

-- One row per distinct embedded text: the hundreds of repeats in a record share one vector.
create table concepts (
    concept_id    bigint generated always as identity primary key,
    text_hash     bytea not null unique,           -- sha256 of embedded_text
    embedded_text text not null,
    embedding     halfvec(384) not null            -- unit length; exact search only, no approximate index
);

create table resources (
    patient_ref    text not null,                  -- 'Patient/id'; '' for directory rows shared by everybody
    resource_id    text not null,                  -- 'Type/id', the citation
    resource_type  text not null,
    concept_key    text not null,                  -- type + primary code: one series
    concept_id     bigint not null references concepts,
    label          text not null,
    resource_date  timestamptz,
    status         text not null,
    void           boolean not null,               -- never evidence
    administrative boolean not null,               -- kept, out of default retrieval
    names          text[] not null,                -- every display and text of the concept
    codes          text[] not null,                -- 'system|code'
    refs           text[] not null,                -- outbound, 'Type/id'
    text_content   text not null,
    facts          text not null,                  -- core.models.Facts as JSON
    resource       jsonb not null,
    last_updated   timestamptz,
    version_id     text not null,
    content_hash   bytea not null,                 -- of the resource and of the version of the code that read it
    source         text not null,                  -- file name it came from
    tsv            tsvector generated always as (to_tsvector('english', text_content)) stored,
    primary key (patient_ref, resource_id)
);

create index resources_concept on resources (patient_ref, concept_key);
create index resources_type on resources (patient_ref, resource_type);
create index resources_id on resources (resource_id);
create index resources_refs on resources using gin (refs);

create table patients (
    patient_ref text primary key,
    name        text not null,
    birth_date  text not null,                     -- as recorded, possibly partial
    gender      text not null,
    deceased    text not null,                     -- a date, 'deceased', or ''
    merged_into text not null,                     -- 'Patient/id' of the survivor, or ''
    search      text not null,                     -- lower case: names, identifiers, birth date, id
    resources   integer not null
);

-- What could not be taken, and why; read = written + unchanged + quarantined.
create table quarantine (
    source     text not null,
    entry      text not null,
    reason     text not null,
    seen_at    timestamptz not null default now(),
    primary key (source, entry, reason)
);

create table audit (
    audit_id    bigint generated always as identity primary key,
    asked_at    timestamptz not null default now(),
    user_name   text not null,
    patient_ref text not null,
    question    text not null,
    shown       text[] not null,
    answerer    text not null,
    verdict     text not null,
    refused     boolean not null
);
create index audit_patient on audit (patient_ref, asked_at);
