"""What a reviewer sees and is offered: groups, matches, proposals. No screen in it."""
