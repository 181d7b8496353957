/** zxcvbn's score from 0 to 4; a password below 2 counts as guessable. */
export type Strength = 0 | 1 | 2 | 3 | 4

const GUESSABLE: Strength = 1

/** Characters that are rated: rating takes quadratic time or worse, and a strong prefix is strong enough. */
const RATED = 64
/** Words of the e-mail that are rated as guessable; each is searched in the whole password. */
const RATED_WORDS = 8

/** Loads the library and its word lists with the first password: they are large, and few requests need them. */
const validate = once(async () => {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
})

/** Rates a password. Parts of its e-mail count as guessable. */
export async function strengthOf(password: string, email: string): Promise<Strength> {
  // Stryker disable next-line Regex,MethodExpression,ConditionalExpression,EqualityOperator: shorter words change no rating.
  const parts = email.split(/[^a-z0-9]+/i).filter(({ length }) => length > 2)
  const tried = [email, ...parts.slice(0, RATED_WORDS)].map((term) => term.slice(0, RATED))
  return (await validate()).check(password.slice(0, RATED), tried).score
}

/** Whether a password of this strength is refused. */
export function isGuessable(strength: Strength): boolean {
  return strength <= GUESSABLE
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= make())
}
