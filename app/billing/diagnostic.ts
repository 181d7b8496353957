/** `ok` null: worth knowing, and neither good nor bad. `what` names it in a word or two, `words` say the rest. */
export type Finding = { readonly ok: boolean | null; readonly what: string; readonly words: string }
