/** Characters that are not mistaken for each other on a television: no 0 O 1 I L U V. */
const LETTERS = "23456789ABCDEFGHJKMNPQRSTWXYZ"
const DIGITS = "0123456789"

/** Returns a uniformly distributed integer from 0 up to, not including, `below`. */
export type RandomInt = (below: number) => number

export type Credentials = { readonly username: string; readonly password: string }

/** Username `TV` and eight random characters, password of ten random digits (specification, Services). */
export function newCredentials(randomInt: RandomInt): Credentials {
  return { username: `TV${text(randomInt, LETTERS, 8)}`, password: text(randomInt, DIGITS, 10) }
}

/** The end of a username, for messages: it tells services of one plan apart, and login details never go by mail. */
export function loginEnding(username: string): string {
  return `…${username.slice(-4)}`
}

/** An order number that can be read aloud: ten characters, unguessable and not sequential. */
export function newOrderNumber(randomInt: RandomInt): string {
  return text(randomInt, LETTERS, 10)
}

function text(randomInt: RandomInt, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("")
}
