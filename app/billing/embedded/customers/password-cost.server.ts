/** Parameters of scrypt: N = 2^log2N. */
export type PasswordCost = { readonly log2N: number; readonly r: number; readonly p: number }

/**
 * Cost of a new password's hash: N = 2^15 (32 MiB), r = 8, p = 3, as recommended for scrypt by OWASP:
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
export const passwordCost: PasswordCost = { log2N: 15, r: 8, p: 3 }
