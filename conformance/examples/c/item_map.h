#ifndef ITEM_MAP_H
#define ITEM_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known about an item; item 0 marks an empty place. */
struct known_item {
    int64_t item;
    double value;
    bool is_delivered; /* by sorted access */
};

/* A hash table of items, with linear probing. All bytes zero is an empty table. */
struct item_map {
    struct known_item *places;
    size_t capacity; /* 0 or a power of 2 */
    size_t count;
};

/* Returns NULL if the item is not there; the pointer is valid until the next addition. */
struct known_item *item_map_find(const struct item_map *map, int64_t item);

/* Add an item that is not there; returns NULL if there is no memory for it. */
struct known_item *item_map_add(struct item_map *map, int64_t item, double value);

void item_map_free(struct item_map *map);

#endif
