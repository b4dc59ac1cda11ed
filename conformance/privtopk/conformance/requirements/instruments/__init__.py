"""What several requirements use: exact laws, races, answers, faulty lists, random examples."""
