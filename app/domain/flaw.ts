/** What a place of something typed is refused for, in English: `["plans", 0, "pricing", "EUR", "monthly"]`. */
export type Flaw = { readonly path: readonly PropertyKey[]; readonly message: string }
