/** How easily a password is found by trying, from 0 to 4; what is below 2 is found at once. */
export type Strength = 0 | 1 | 2 | 3 | 4

const GUESSABLE: Strength = 1

/** Rating takes the square of the length and longer. What is strong so far is strong; nobody repeats himself for longer. */
const RATED = 64
/** Names in an e-mail that somebody would try; each is looked for everywhere in the password. */
const RATED_WORDS = 8

/** The library and its lists are large, and few pages need them: they come when the first password does. */
const judge = once(async () => {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
})

/** How strong a password is. The e-mail that goes with it is the first thing anybody tries. */
export async function strengthOf(password: string, email: string): Promise<Strength> {
  const words = email.split(/[^a-z0-9]+/i).filter(({ length }) => length > 2)
  const tried = [email, ...words.slice(0, RATED_WORDS)].map((word) => word.slice(0, RATED))
  return (await judge()).check(password.slice(0, RATED), tried).score
}

export function isGuessable(strength: Strength): boolean {
  return strength <= GUESSABLE
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= make())
}
