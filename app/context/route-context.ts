import type { RouterContextProvider } from "react-router"

/** The contexts of one request, as React Router hands them to middleware, loaders and actions. */
export type RouteContext = Readonly<RouterContextProvider>
