"""Small modal questions: words, scope, a record, yes or no."""
