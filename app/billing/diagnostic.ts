/** `ok` null: worth knowing, and neither good nor bad. `what` names it in a word or two, `words` say the rest. */
export type Diagnostic = { readonly ok: boolean | null; readonly check: string; readonly message: string }
