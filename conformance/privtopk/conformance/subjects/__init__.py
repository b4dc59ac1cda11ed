"""What is tested: the kinds of implementation, how each is called, and what it is given."""
