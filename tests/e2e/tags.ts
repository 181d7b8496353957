type Details = { tag?: string }

/** Of a test that `npm run test:deep` runs and `npm test` does not: it takes long, or is one more row of a table. */
export const deep: Details = { tag: "@deep" }

/** Of a table in which `npm test` runs the rows that fulfil a condition, and `npm run test:deep` all others. */
export function deepUnless(isShort: boolean): Details {
  return isShort ? {} : deep
}

/** Of a test that `npm test` runs on every billing backend; the rest of its file runs there in `npm run test:deep`. */
export const everyBackend: Details = { tag: "@every-backend" }
