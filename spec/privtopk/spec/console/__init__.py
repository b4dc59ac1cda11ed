"""What the commands of all packages share: safe text, whole files, and how a program ends."""
