"""Lower-bound games: random inputs on which no selector keeps its promises at a low cost."""
