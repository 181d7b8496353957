type Details = { tag?: string }

/** Tag of a test that `npm run test:deep` runs and `npm test` does not: a slow test, or one more row of a table. */
export const deep: Details = { tag: "@deep" }

/** Tag of a table row: `npm test` runs the rows with `isShort`, and `npm run test:deep` runs all others. */
export function deepUnless(isShort: boolean): Details {
  return isShort ? {} : deep
}

/**
 * Tag of a test that `npm test` runs on every billing backend. `npm run test:deep` runs the rest of its file on all
 * backends.
 */
export const everyBackend: Details = { tag: "@every-backend" }

/** The same for one of two variants; `npm test` runs the other on embedded billing alone. */
export function everyBackendIf(isShort: boolean): Details {
  return isShort ? everyBackend : {}
}
