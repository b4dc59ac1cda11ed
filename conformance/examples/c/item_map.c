#include "item_map.h"

#include <stdlib.h>

enum { SMALLEST_CAPACITY = 64 };

/* 2^64 divided by the golden ratio: its multiples spread consecutive items. */
static const uint64_t SPREAD = 0x9E3779B97F4A7C15;

/* The place of an item, or the empty place where it belongs. */
static struct known_item *place_of(const struct item_map *map, int64_t item)
{
    uint64_t hash = (uint64_t)item * SPREAD;
    size_t place = (size_t)(hash >> 32) & (map->capacity - 1);

    while (map->places[place].item != 0 && map->places[place].item != item)
        place = (place + 1) & (map->capacity - 1);
    return &map->places[place];
}

struct known_item *item_map_find(const struct item_map *map, int64_t item)
{
    if (map->count == 0)
        return NULL;
    struct known_item *found = place_of(map, item);
    return found->item == item ? found : NULL;
}

static bool grow(struct item_map *map)
{
    struct item_map larger = {.count = map->count};

    larger.capacity = map->capacity == 0 ? SMALLEST_CAPACITY : 2 * map->capacity;
    larger.places = calloc(larger.capacity, sizeof *larger.places);
    if (larger.places == NULL)
        return false;
    for (size_t i = 0; i < map->capacity; ++i)
        if (map->places[i].item != 0)
            *place_of(&larger, map->places[i].item) = map->places[i];
    free(map->places);
    *map = larger;
    return true;
}

struct known_item *item_map_add(struct item_map *map, int64_t item, double value)
{
    if (2 * map->count >= map->capacity && !grow(map))
        return NULL;
    struct known_item *place = place_of(map, item);
    *place = (struct known_item){.item = item, .value = value};
    ++map->count;
    return place;
}

void item_map_free(struct item_map *map)
{
    free(map->places);
    *map = (struct item_map){0};
}
