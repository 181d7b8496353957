/** Letters and digits that cannot be mistaken for each other on a television: no 0 O 1 I L U V. */
const LETTERS = "23456789ABCDEFGHJKMNPQRSTWXYZ"
const DIGITS = "0123456789"

/** Draws a whole number from 0 up to, not including, `below`; every one equally likely. */
export type RandomInt = (below: number) => number

export type Credentials = { readonly username: string; readonly password: string }

/** `TV` and eight random characters, and a password of ten random digits (spec, section 7, notes). */
export function newCredentials(randomInt: RandomInt): Credentials {
  return { username: `TV${text(randomInt, LETTERS, 8)}`, password: text(randomInt, DIGITS, 10) }
}

/** An order's number as people read it aloud: ten characters that nobody can guess or count up. */
export function newOrderNumber(randomInt: RandomInt): string {
  return text(randomInt, LETTERS, 10)
}

function text(randomInt: RandomInt, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("")
}
