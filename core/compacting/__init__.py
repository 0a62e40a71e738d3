"""Compaction: what was noted on the way becomes a feature's memory (docs/jonggrang.md, Compaction).

`materials` gathers what there is; `drafting` makes the memory of it without any model, `prompting` asks a command for it;
`account` says of each entry what became of it in a text, whoever wrote that, and `checking` what is wrong with the text;
`planning` is the verb `compact`. `distilling` has a command propose what of it holds for the whole project. All of it is pure:
a front end asks for each step, shows it, and gives a Request to the desk.

A fragment's entry that a person rejected stands struck in its fragment, `- ~~text~~ rejected DATE: reason`: the account reads
it as left out, with that reason (`keys.why_struck`). Nothing else notes a rejection.

What memory is called and where it lies only the layout knows: `form` has what it answers (`Layout.features`,
`Layout.compaction`).
"""
