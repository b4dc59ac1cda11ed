"""Lower-bound games: random inputs on which no selector keeps all its promises cheaply."""
