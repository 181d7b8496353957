// @ts-nocheck: the file has no types of its own.
import server from "../../../node_modules/react-dom/cjs/react-dom-server-legacy.node.production.js"

export const { renderToStaticMarkup, renderToString } = server
