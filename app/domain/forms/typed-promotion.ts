import { promotionTypes } from "../catalogue/promotion-type"

/** A promotion as it is typed. An empty limit is none; lists are separated by commas; `renewals`: a number, or "all". */
export type TypedPromotion = {
  readonly code: string
  readonly products: string
  readonly kind: string
  readonly value: string
  readonly currency: string
  readonly from: string
  readonly to: string
  readonly maxUses: string
  readonly usesPerPerson: string
  readonly renewals: string
  readonly cycles: string
}

export const emptyPromotion: TypedPromotion = {
  code: "",
  products: "",
  kind: promotionTypes.percentage,
  value: "",
  currency: "",
  from: "",
  to: "",
  maxUses: "",
  usesPerPerson: "",
  renewals: "",
  cycles: "",
}
