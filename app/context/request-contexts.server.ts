import { type RouterContext, RouterContextProvider } from "react-router"

type ValueOf<C> = C extends RouterContext<infer Value> ? Value : never

/**
 * What middleware, loaders and actions share of one request. React Router's own provider keeps its values in a `WeakMap`, as its
 * build has no private fields, and V8 keeps the values of a `WeakMap`, with all that they refer to, until it collects the whole
 * heap. These values are gone with their request.
 */
export class RequestContexts extends RouterContextProvider {
  readonly #values = new Map<RouterContext<unknown>, unknown>()

  override get<T>(context: RouterContext<T>): T {
    return this.#values.has(context) ? (this.#values.get(context) as T) : super.get(context)
  }

  override set<C extends RouterContext>(context: C, value: ValueOf<C>): void {
    this.#values.set(context, value)
  }
}
