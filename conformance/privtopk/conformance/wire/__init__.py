"""Subjects in other languages: JSON lines over the standard streams of a child process."""
