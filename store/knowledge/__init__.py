"""What was made of past turns without a model: observations, digests, entities. No memory: nobody approved it, so it is
told as what happened, never as a rule.
"""
