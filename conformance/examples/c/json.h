#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum json_type {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
};

/* A value in a document, which owns it. */
struct json {
    enum json_type type;
    const char *name;         /* of a member of an object, else NULL */
    const char *text;         /* of a string, decoded; or of a number, not terminated */
    const struct json *first; /* of the elements or members, NULL if there is none */
    const struct json *next;  /* sibling, NULL if it is the last */
};

/* A parsed text; it can be used again. All bytes zero is an empty document. */
struct json_document {
    struct json *values;
    char *strings;
    size_t capacity;
};

/*
 * Parse a text of UTF-8, which must live as long as the value that is returned. Returns NULL if it
 * is not JSON, is nested deeper than 200, or does not fit in memory.
 */
const struct json *json_read(struct json_document *document, const char *text);

void json_free(struct json_document *document);

/* Returns NULL if the value is not an object or has no such member. */
const struct json *json_member(const struct json *value, const char *name);

/* The value may be NULL, if it is missing: then none of these succeeds. */
bool json_is(const struct json *value, const char *string);
const char *json_string(const struct json *value); /* NULL if it is not a string */
bool json_integer(const struct json *value, int64_t *integer);
bool json_real(const struct json *value, double *real); /* "NaN" and infinities are strings */

void json_write_string(FILE *output, const char *text);
void json_write_real(FILE *output, double real);

#endif
