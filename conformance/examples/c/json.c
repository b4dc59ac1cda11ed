#include "json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers are read and written in the C locale, the default of every program. */

enum { DEEPEST = 200 };

static const uint32_t REPLACEMENT = 0xFFFD;
static const double TOO_LARGE = 0x1p63;

struct reader {
    const char *place;
    struct json *free_value;
    char *free_string;
};

static bool read_value(struct reader *reader, struct json *value, int depth);

static void skip_space(struct reader *reader)
{
    reader->place += strspn(reader->place, " \t\n\r");
}

/* Skip a character if it is the next one. */
static bool skip(struct reader *reader, char wanted)
{
    skip_space(reader);
    if (*reader->place != wanted)
        return false;
    ++reader->place;
    return true;
}

static bool read_word(struct reader *reader, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(reader->place, word, length) != 0)
        return false;
    reader->place += length;
    return true;
}

static size_t skip_digits(struct reader *reader)
{
    size_t count = strspn(reader->place, "0123456789");

    reader->place += count;
    return count;
}

static bool read_number(struct reader *reader)
{
    reader->place += *reader->place == '-';
    bool starts_with_zero = *reader->place == '0';
    size_t digits = skip_digits(reader);
    if (digits == 0 || (starts_with_zero && digits > 1))
        return false;
    if (*reader->place == '.') {
        ++reader->place;
        if (skip_digits(reader) == 0)
            return false;
    }
    if (*reader->place == 'e' || *reader->place == 'E') {
        ++reader->place;
        reader->place += *reader->place == '+' || *reader->place == '-';
        return skip_digits(reader) > 0;
    }
    return true;
}

/* Read the four digits of \uXXXX. */
static bool read_unit(struct reader *reader, uint32_t *unit)
{
    char digits[5] = {0};

    for (int i = 0; i < 4; ++i) {
        digits[i] = *reader->place;
        if (digits[i] == '\0' || strchr("0123456789abcdefABCDEF", digits[i]) == NULL)
            return false;
        ++reader->place;
    }
    *unit = (uint32_t)strtoul(digits, NULL, 16);
    return true;
}

/* Read what follows \u; half of a surrogate pair is no character and is replaced. */
static bool read_character(struct reader *reader, uint32_t *character)
{
    uint32_t low;

    if (!read_unit(reader, character))
        return false;
    if (*character >= 0xD800 && *character < 0xDC00 && strncmp(reader->place, "\\u", 2) == 0) {
        const char *here = reader->place;
        reader->place += 2;
        if (!read_unit(reader, &low))
            return false;
        if (low >= 0xDC00 && low < 0xE000) {
            *character = 0x10000 + ((*character - 0xD800) << 10) + (low - 0xDC00);
            return true;
        }
        reader->place = here;
    }
    if (*character >= 0xD800 && *character < 0xE000)
        *character = REPLACEMENT;
    return true;
}

static void put(struct reader *reader, char byte)
{
    *reader->free_string++ = byte;
}

/* Append a character as UTF-8, which is never longer than its escape. */
static void put_character(struct reader *reader, uint32_t character)
{
    static const unsigned char first_byte[] = {0, 0xC0, 0xE0, 0xF0};
    int more = (character > 0x7F) + (character > 0x7FF) + (character > 0xFFFF);

    put(reader, (char)(first_byte[more] | (character >> (6 * more))));
    while (more-- > 0)
        put(reader, (char)(0x80 | ((character >> (6 * more)) & 0x3F)));
}

static bool read_escape(struct reader *reader)
{
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char letter = *reader->place;
    uint32_t character;

    if (letter == '\0')
        return false;
    ++reader->place;
    if (letter == 'u') {
        if (!read_character(reader, &character))
            return false;
        put_character(reader, character);
        return true;
    }
    const char *found = strchr(escapes, letter);
    if (found == NULL)
        return false;
    put(reader, meanings[found - escapes]);
    return true;
}

static bool read_string(struct reader *reader, const char **text)
{
    if (!skip(reader, '"'))
        return false;
    *text = reader->free_string;
    while (*reader->place != '"') {
        char letter = *reader->place;
        if ((unsigned char)letter < 0x20)
            return false;
        ++reader->place;
        if (letter != '\\')
            put(reader, letter);
        else if (!read_escape(reader))
            return false;
    }
    ++reader->place;
    put(reader, '\0');
    return true;
}

/* Read a member of an object or, without a name, an element of an array. */
static bool read_child(struct reader *reader, struct json *child, bool is_named, int depth)
{
    const char *name = NULL;

    if (is_named && !(read_string(reader, &name) && skip(reader, ':')))
        return false;
    if (!read_value(reader, child, depth))
        return false;
    child->name = name;
    return true;
}

/* Read the rest of an array or an object, after its first bracket. */
static bool read_children(struct reader *reader, struct json *parent, char closing, int depth)
{
    const struct json **link = &parent->first;

    if (depth > DEEPEST)
        return false;
    if (skip(reader, closing))
        return true;
    do {
        struct json *child = reader->free_value++;
        if (!read_child(reader, child, parent->type == JSON_OBJECT, depth))
            return false;
        *link = child;
        link = &child->next;
    } while (skip(reader, ','));
    return skip(reader, closing);
}

static bool read_value(struct reader *reader, struct json *value, int depth)
{
    skip_space(reader);
    *value = (struct json){.type = JSON_NUMBER, .text = reader->place};
    switch (*reader->place) {
    case '{':
        ++reader->place;
        value->type = JSON_OBJECT;
        return read_children(reader, value, '}', depth + 1);
    case '[':
        ++reader->place;
        value->type = JSON_ARRAY;
        return read_children(reader, value, ']', depth + 1);
    case '"':
        value->type = JSON_STRING;
        return read_string(reader, &value->text);
    case 'n':
        value->type = JSON_NULL;
        return read_word(reader, "null");
    case 'f':
        value->type = JSON_FALSE;
        return read_word(reader, "false");
    case 't':
        value->type = JSON_TRUE;
        return read_word(reader, "true");
    default:
        return read_number(reader);
    }
}

/*
 * Reserve memory for all that a text can hold, so that nothing has to move. A comma or a bracket
 * precedes each value but the first, and a string is shorter than with its quotes.
 */
static bool reserve(struct json_document *document, size_t length)
{
    if (length < document->capacity)
        return true;
    json_free(document);
    document->values = calloc(length + 1, sizeof *document->values);
    document->strings = malloc(length + 1);
    if (document->values == NULL || document->strings == NULL)
        return false;
    document->capacity = length + 1;
    return true;
}

const struct json *json_read(struct json_document *document, const char *text)
{
    if (!reserve(document, strlen(text)))
        return NULL;
    struct json *root = document->values;
    struct reader reader = {
        .place = text, .free_value = root + 1, .free_string = document->strings};
    if (!read_value(&reader, root, 0))
        return NULL;
    skip_space(&reader);
    return *reader.place == '\0' ? root : NULL;
}

void json_free(struct json_document *document)
{
    free(document->values);
    free(document->strings);
    *document = (struct json_document){0};
}

const struct json *json_member(const struct json *value, const char *name)
{
    if (value == NULL || value->type != JSON_OBJECT)
        return NULL;
    for (const struct json *member = value->first; member != NULL; member = member->next)
        if (strcmp(member->name, name) == 0)
            return member;
    return NULL;
}

const char *json_string(const struct json *value)
{
    return value != NULL && value->type == JSON_STRING ? value->text : NULL;
}

bool json_is(const struct json *value, const char *string)
{
    const char *text = json_string(value);

    return text != NULL && strcmp(text, string) == 0;
}

bool json_integer(const struct json *value, int64_t *integer)
{
    char *end;
    double real;

    if (value == NULL || value->type != JSON_NUMBER)
        return false;
    errno = 0;
    *integer = strtoll(value->text, &end, 10);
    if (errno == 0 && (*end == '\0' || strchr(".eE", *end) == NULL))
        return true;
    real = strtod(value->text, NULL);
    if (real != floor(real) || fabs(real) >= TOO_LARGE)
        return false;
    *integer = (int64_t)real;
    return true;
}

bool json_real(const struct json *value, double *real)
{
    if (value == NULL)
        return false;
    if (value->type == JSON_NUMBER)
        *real = strtod(value->text, NULL);
    else if (json_is(value, "NaN"))
        *real = NAN;
    else if (json_is(value, "Infinity"))
        *real = INFINITY;
    else if (json_is(value, "-Infinity"))
        *real = -INFINITY;
    else
        return false;
    return true;
}

void json_write_string(FILE *output, const char *text)
{
    putc('"', output);
    for (; *text != '\0'; ++text) {
        unsigned char letter = (unsigned char)*text;
        if (letter == '"' || letter == '\\')
            fprintf(output, "\\%c", letter);
        else if (letter < 0x20)
            fprintf(output, "\\u%04x", (unsigned)letter);
        else
            putc(letter, output);
    }
    putc('"', output);
}

void json_write_real(FILE *output, double real)
{
    if (isnan(real))
        fputs("\"NaN\"", output);
    else if (isinf(real))
        fputs(real > 0 ? "\"Infinity\"" : "\"-Infinity\"", output);
    else
        fprintf(output, "%.17g", real);
}
