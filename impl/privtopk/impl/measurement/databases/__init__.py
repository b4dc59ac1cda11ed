"""Selections from databases against fetching everything: `privtopk bench --sources`."""
