/** A query as an address has it, with "?" unless it is empty. Keeps "?edit" without an equals sign. */
export function queryText(query: URLSearchParams): string {
  return query.size > 0 ? `?${query.toString().replace(/=(?=&|$)/g, "")}` : ""
}
