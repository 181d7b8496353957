import { fileURLToPath } from "node:url"

/** Files of React Router's production build, by the name that imports them. They have no export names of their own. */
export const productionFiles = Object.fromEntries(
  Object.entries({ "react-router": "index", "react-router/dom": "dom-export" }).map(([name, file]) => [
    name,
    fileURLToPath(new URL(`../../node_modules/react-router/dist/production/${file}.mjs`, import.meta.url)),
  ]),
)
