"""Doors to programs that people already use: thin, above everything else; nothing imports them."""
