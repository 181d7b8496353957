import { z } from "zod"
import type { Analytics } from "~/domain/shop/analytics"
import { List } from "./fields.server"

/** "domain=shop.example,api=/event": attributes of the script; each becomes `data-…`. */
const Attributes = List.transform((list, context) => {
  const parts = list.map((it) => /^([a-z][a-z0-9-]*)=(.+)$/.exec(it))
  if (parts.includes(null)) context.addIssue({ code: "custom", message: "must be like website-id=1234" })
  return Object.fromEntries(parts.map((it) => [it?.[1] ?? "", it?.[2] ?? ""]))
})

/** The optional analytics script. */
export const analyticsFields = {
  ANALYTICS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description:
        "URL of an analytics script. It runs on the first page only, never on pages with an order, a password or credentials",
    }),
  ANALYTICS_DATA: Attributes.optional().meta({
    description:
      'Data attributes of that script: `website-id=…` becomes `data-website-id="…"`; several are separated by commas',
  }),
}

type Given = { ANALYTICS_URL?: string | undefined; ANALYTICS_DATA?: Analytics["data"] | undefined }

export function analyticsOf({ ANALYTICS_URL: src, ANALYTICS_DATA: data = {} }: Given): Analytics | null {
  return src === undefined ? null : { src, data }
}
