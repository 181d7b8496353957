import { z } from "zod"
import { Amount, Flag, listResponse, Text, TextField, Whole } from "../client/response-schema"
import { MaybeDay } from "../client/wall-clock"

const commaList = TextField.transform((list) =>
  list
    .split(",")
    .map((it) => it.trim())
    .filter(Boolean),
)

/**
 * A promotion of GetPromotions, see https://developers.whmcs.com/api-reference/getpromotions/. Empty `cycles`: all.
 * `maxuses` 0: unlimited.
 */
export const PromotionShape = z.object({
  code: Text,
  type: Text.transform((type) => type.toLowerCase().replaceAll(/[\s_-]/g, "")),
  value: Amount,
  cycles: commaList,
  appliesto: commaList,
  requires: commaList,
  requiresexisting: Flag,
  onceperclient: Flag,
  startdate: MaybeDay,
  expirationdate: MaybeDay,
  maxuses: Whole,
  uses: Whole,
})

export type WhmcsPromotion = z.output<typeof PromotionShape>
export const PromotionsResponse = listResponse("promotions", "promotion", PromotionShape)
