/** Result of a check of `doctor`. `ok` null: information only. `check`: short name. `message`: the finding. */
export type Diagnostic = { readonly ok: boolean | null; readonly check: string; readonly message: string }
