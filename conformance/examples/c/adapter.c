/*
 * The selection and the noise list as a child of the test oracle: reads a line of JSON, writes a
 * line of JSON. docs/reference/wire.md describes the protocol.
 */

#define _POSIX_C_SOURCE 200809L

#include "coins.h"
#include "json.h"
#include "noise_list.h"
#include "selection.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char LARGEST[] = "1152921504606846976"; /* 2^60 */

static const char *const NOISES[] = {[GUMBEL] = "gumbel", [LAPLACE] = "laplace"};
static const char *const RELATIONS[] = {
    [ADD_REMOVE] = "add-remove", [SWAP] = "swap", [L_INFINITY] = "l-infinity"};

/* A noise list that the harness calls step by step. */
struct object {
    int64_t number;
    double rate;
    struct noise_list noises;
    struct object *next;
};

/* The conversation with the harness. */
struct wire {
    char *line; /* the latest message */
    size_t line_size;
    struct json_document document; /* the same, parsed */
    int64_t seq;
    struct object *objects;
};

/* A list of the harness, as the selection reads it. */
struct served_list {
    struct wire *wire;
    const char *name;
};

static _Noreturn void die(const char *complaint, const char *detail)
{
    fprintf(stderr, "adapter: %s: %s\n", complaint, detail);
    exit(EXIT_FAILURE);
}

/* The next message, or NULL at the end of the input. */
static const struct json *receive(struct wire *wire)
{
    errno = 0;
    if (getline(&wire->line, &wire->line_size, stdin) < 0) {
        if (errno != 0)
            die("the input cannot be read", strerror(errno));
        return NULL;
    }
    const struct json *message = json_read(&wire->document, wire->line);
    if (message == NULL)
        die("the harness sent a line that is not JSON", wire->line);
    if (!json_integer(json_member(message, "seq"), &wire->seq)
        || json_string(json_member(message, "type")) == NULL)
        die("the harness sent a message without type or seq", wire->line);
    return message;
}

static const struct json *field(const struct json *object, const char *name)
{
    const struct json *value = json_member(object, name);

    if (value == NULL)
        die("the harness sent a message without the field", name);
    return value;
}

static const char *string_field(const struct json *object, const char *name)
{
    const char *string = json_string(field(object, name));

    if (string == NULL)
        die("the harness sent something else than a string in the field", name);
    return string;
}

static double real_field(const struct json *object, const char *name)
{
    double real;

    if (!json_real(field(object, name), &real))
        die("the harness sent something else than a number in the field", name);
    return real;
}

static int64_t integer_field(const struct json *object, const char *name)
{
    int64_t integer;

    if (!json_integer(field(object, name), &integer))
        die("the harness sent something else than an integer in the field", name);
    return integer;
}

/* The index of the name that a field has. */
static unsigned choice_field(const struct json *object, const char *name,
                             const char *const *choices, unsigned count)
{
    for (unsigned choice = 0; choice < count; ++choice)
        if (json_is(field(object, name), choices[choice]))
            return choice;
    die("the harness sent an unknown choice in the field", name);
}

static enum noise noise_field(const struct json *object)
{
    return choice_field(object, "noise", NOISES, sizeof NOISES / sizeof *NOISES);
}

static void begin(const struct wire *wire, const char *type)
{
    printf("{\"type\":\"%s\",\"seq\":%" PRId64, type, wire->seq);
}

static void end(void)
{
    puts("}");
    if (fflush(stdout) != 0)
        die("the output cannot be written", strerror(errno));
}

static void write_failure(const struct failure *failure)
{
    fputs("\"reason\":", stdout);
    json_write_string(stdout, failure->reason);
    fputs(",\"message\":", stdout);
    json_write_string(stdout, failure->message);
}

static void answer_with_error(const struct wire *wire, const struct failure *failure)
{
    begin(wire, "error");
    putchar(',');
    write_failure(failure);
    end();
}

static void decline(const struct wire *wire, const char *reason)
{
    begin(wire, "skip");
    printf(",\"reason\":\"%s\"", reason);
    end();
}

/*
 * Receive the answer to a request. The reason of a refusal points into the message and is valid
 * until the next one: long enough for the error that ends the selection.
 */
static bool receive_answer(struct wire *wire, const char *type, const struct json **content,
                           struct failure *failure)
{
    const struct json *message = receive(wire);

    if (message == NULL)
        exit(EXIT_SUCCESS);
    if (json_is(field(message, "type"), "refused"))
        return fail(failure, string_field(message, "reason"), "the harness refused %s", type);
    *content = field(message, type);
    return true;
}

static bool next_served(void *self, struct entry *entry, struct failure *failure)
{
    const struct served_list *list = self;
    const struct json *entries;

    begin(list->wire, "sorted");
    printf(",\"list\":\"%s\",\"count\":1", list->name);
    end();
    if (!receive_answer(list->wire, "entries", &entries, failure))
        return false;
    if (entries->first == NULL)
        return fail(failure, "faulty-source", "the list of %s ended too early", list->name);
    const struct json *item = entries->first->first;
    if (!json_integer(item, &entry->item) || !json_real(item->next, &entry->value))
        die("the harness sent an entry that is none", list->name);
    return true;
}

static bool look_up_served(void *self, int64_t item, double *value, struct failure *failure)
{
    const struct served_list *list = self;
    const struct json *values;

    begin(list->wire, "random");
    printf(",\"list\":\"%s\",\"items\":[%" PRId64 "]", list->name, item);
    end();
    if (!receive_answer(list->wire, "values", &values, failure))
        return false;
    if (values->first == NULL)
        return fail(failure, "faulty-source", "the list of %s lacks an item", list->name);
    if (!json_real(values->first, value))
        die("the harness sent a value that is none", list->name);
    return true;
}

static struct list served_doors(struct served_list *list)
{
    return (struct list){.self = list, .next = next_served, .look_up = look_up_served};
}

/* 64 coins: 32 from each of two uniforms, which have 52. */
static bool toss_served(void *self, uint64_t *word, struct failure *failure)
{
    struct wire *wire = self;
    const struct json *uniforms;
    double high, low;

    begin(wire, "draw");
    fputs(",\"count\":2", stdout);
    end();
    if (!receive_answer(wire, "uniforms", &uniforms, failure))
        return false;
    if (!json_real(uniforms->first, &high) || !json_real(uniforms->first->next, &low))
        die("the harness sent fewer uniforms than", "2");
    *word = (uint64_t)ldexp(high, 32) << 32 | (uint64_t)ldexp(low, 32);
    return true;
}

static struct question question_in(const struct json *message)
{
    const struct json *asked = field(message, "question");

    return (struct question){
        .k = real_field(asked, "k"),
        .epsilon = real_field(asked, "epsilon"),
        .delta = real_field(asked, "delta"),
        .noise = noise_field(asked),
        .relation =
            choice_field(asked, "relation", RELATIONS, sizeof RELATIONS / sizeof *RELATIONS),
        .is_ranked = field(asked, "ranked")->type == JSON_TRUE,
    };
}

static void answer_start(struct wire *wire, const struct json *message)
{
    (void)message;
    begin(wire, "started");
    printf(",\"protocol\":1,\"name\":\"rank-free\",\"version\":\"1\",\"language\":\"C\","
           "\"subjects\":["
           "{\"kind\":\"selector\","
           "\"profiles\":[\"own-randomness\",\"uniforms-served\",\"noise-served\"],"
           "\"noises\":[\"gumbel\",\"laplace\"],\"ranked\":true,\"cost\":\"threshold\","
           "\"largest\":%s,\"declares_rate\":true},"
           "{\"kind\":\"noise-oracle\",\"noises\":[\"gumbel\",\"laplace\"],\"largest\":%s}]",
           LARGEST, LARGEST);
    end();
}

static int64_t *run(struct wire *wire, const struct json *message,
                    const struct question *question, struct failure *failure)
{
    struct served_list scores = {wire, "scores"}, noises = {wire, "noises"};
    struct coins coins = {.self = wire, .toss = toss_served};
    const struct json *profile = field(message, "profile");
    int64_t m = integer_field(message, "m");

    if (json_is(profile, "noise-served"))
        return select_with_noise(question, m, served_doors(&scores), served_doors(&noises),
                                 failure);
    if (json_is(profile, "own-randomness"))
        coins = system_coins();
    return select_items(question, m, served_doors(&scores), coins, failure);
}

static void answer_run(struct wire *wire, const struct json *message)
{
    struct failure failure;
    struct question question = question_in(message);
    int64_t *items = run(wire, message, &question, &failure);

    if (items == NULL) {
        answer_with_error(wire, &failure);
        return;
    }
    begin(wire, "items");
    fputs(",\"items\":[", stdout);
    for (size_t i = 0; i < (size_t)question.k; ++i)
        printf("%s%" PRId64, i > 0 ? "," : "", items[i]);
    putchar(']');
    end();
    free(items);
}

static void answer_rate(struct wire *wire, const struct json *message)
{
    struct failure failure;
    struct question question = question_in(message);
    double rate;

    if (!rate_of(&question, integer_field(message, "m"), &rate, &failure)) {
        answer_with_error(wire, &failure);
        return;
    }
    begin(wire, "declared");
    fputs(",\"rate\":", stdout);
    json_write_real(stdout, rate);
    end();
}

/* The pointer to an object in the list, or the NULL at its end if there is no such object. */
static struct object **object_place(struct wire *wire, int64_t number)
{
    struct object **place = &wire->objects;

    while (*place != NULL && (*place)->number != number)
        place = &(*place)->next;
    return place;
}

static void drop_object(struct wire *wire, int64_t number)
{
    struct object **place = object_place(wire, number), *dropped = *place;

    if (dropped == NULL)
        return;
    *place = dropped->next;
    noise_list_free(&dropped->noises);
    free(dropped);
}

static bool make_object(struct wire *wire, int64_t number, const struct json *make,
                        struct failure *failure)
{
    double m = real_field(make, "m"), rate = real_field(make, "rate");

    if (!(m >= 1 && m <= 0x1p62 && m == floor(m)))
        return fail(failure, "empty-domain",
                    "m must be a whole number between 1 and 2^62, got %.17g", m);
    if (!(rate > 0 && isfinite(rate) && isfinite(1 / rate)))
        return fail(failure, "epsilon-out-of-range",
                    "rate must be positive and finite, got %.17g", rate);
    struct object *made = malloc(sizeof *made);
    if (made == NULL)
        return fail_for_memory(failure);
    *made = (struct object){
        .number = number,
        .rate = rate,
        .noises = noise_list_of(integer_field(make, "m"), noise_field(make), system_coins()),
        .next = wire->objects,
    };
    wire->objects = made;
    return true;
}

/* Perform one step on an object and write its answer. */
static bool answer_step(struct object *object, const struct json *step, struct failure *failure)
{
    struct list noises = noise_list_doors(&object->noises);
    struct entry entry;

    if (json_is(step->first, "sorted")) {
        if (!noises.next(noises.self, &entry, failure))
            return false;
        printf("[%" PRId64 ",", entry.item);
        json_write_real(stdout, entry.value / object->rate);
        putchar(']');
        return true;
    }
    if (!json_is(step->first, "random") || !json_integer(step->first->next, &entry.item))
        return fail(failure, "unknown-step", "a noise list takes sorted, or random and an item");
    if (!noises.look_up(noises.self, entry.item, &entry.value, failure))
        return false;
    json_write_real(stdout, entry.value / object->rate);
    return true;
}

static void answer_steps(struct wire *wire, struct object *object, const struct json *steps)
{
    struct failure failure;

    begin(wire, "answers");
    fputs(",\"answers\":[", stdout);
    for (const struct json *step = steps->first; step != NULL; step = step->next) {
        if (step != steps->first)
            putchar(',');
        if (!answer_step(object, step, &failure)) {
            fputs("{\"error\":{", stdout);
            write_failure(&failure);
            fputs("}}", stdout);
        }
    }
    putchar(']');
    end();
}

static void answer_oracle(struct wire *wire, const struct json *message)
{
    const struct json *make = json_member(message, "make"), *drop = json_member(message, "drop");
    int64_t number = integer_field(message, "object"), dropped;
    struct failure failure;

    if (!json_is(field(message, "kind"), "noise-oracle")) {
        decline(wire, "of the parts, only the noise oracle is offered");
        return;
    }
    for (drop = drop == NULL ? NULL : drop->first; drop != NULL; drop = drop->next)
        if (json_integer(drop, &dropped))
            drop_object(wire, dropped);
    if (make != NULL && !make_object(wire, number, make, &failure)) {
        answer_with_error(wire, &failure);
        return;
    }
    struct object *object = *object_place(wire, number);
    if (object == NULL)
        die("the harness asked for an object that was not made", wire->line);
    answer_steps(wire, object, field(message, "steps"));
}

static void answer(struct wire *wire, const struct json *message)
{
    static const struct {
        const char *type;
        void (*answer)(struct wire *wire, const struct json *message);
    } answers[] = {
        {"start", answer_start},
        {"run", answer_run},
        {"rate", answer_rate},
        {"oracle", answer_oracle},
    };

    for (size_t i = 0; i < sizeof answers / sizeof *answers; ++i)
        if (json_is(field(message, "type"), answers[i].type)) {
            answers[i].answer(wire, message);
            return;
        }
    decline(wire, "a message of this type is not taken");
}

int main(void)
{
    struct wire wire = {0};
    const struct json *message;

    while ((message = receive(&wire)) != NULL && !json_is(field(message, "type"), "stop"))
        answer(&wire, message);
    while (wire.objects != NULL)
        drop_object(&wire, wire.objects->number);
    json_free(&wire.document);
    free(wire.line);
    return EXIT_SUCCESS;
}
