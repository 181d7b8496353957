import type { CatalogueFlaw } from "~/billing/catalogue-admin"

/** A flaw in words, with its place in the catalogue file. */
export function flawText({ path, message }: CatalogueFlaw): string {
  return `${path.join(".") || "The catalogue"} ${message}.`
}
