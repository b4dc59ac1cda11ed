"""What a conforming implementation must satisfy, by kind of subject."""
