import type { Instant } from "~/domain/calendar"
import type { Promotion } from "~/domain/promotion"

/** A promotion as operators see it. `maxUses`: null for no limit. `offSince`: null while it is on. */
export type PromotionDetails = Omit<Promotion, "remainingUses" | "isOff"> & {
  readonly maxUses: number | null
  readonly uses: number
  readonly offSince: Instant | null
}

/** A promotion with the field names of the catalogue file, not checked yet. */
export type PromotionFields = {
  readonly code: string
  readonly appliesto: string
  readonly type: string
  readonly value: string
  readonly currency?: string | undefined
  readonly startdate?: string | undefined
  readonly expirationdate?: string | undefined
  readonly maxuses: number
  readonly renewals: number
  readonly cycles: readonly string[]
  readonly maxusesperperson: number
}

/** What a field is refused for, in English. `field`: empty for the whole. */
export type PromotionFlaw = { readonly field: string; readonly message: string }

export type PromotionSaved =
  | { readonly kind: "saved"; readonly promotion: PromotionDetails }
  | { readonly kind: "invalid"; readonly flaws: readonly PromotionFlaw[] }
  /** Another promotion has the code. */
  | { readonly kind: "exists" }
  | { readonly kind: "unknown" }

/** Port by which operators manage promotions. Codes in any spelling. Every call may throw a `BillingError`. */
export interface PromotionAdmin {
  /** Promotions by code, at most `limit`, those behind the code `after`. */
  promotions(range: {
    readonly after?: string | undefined
    readonly limit: number
  }): Promise<readonly PromotionDetails[]>
  /** Null for an unknown code. */
  promotionDetails(code: string): Promise<PromotionDetails | null>
  /** Checks the fields as the import of a catalogue file does, and adds the promotion. */
  addPromotion(fields: PromotionFields): Promise<PromotionSaved>
  /** Checks likewise, and changes the promotion of the code. Its uses stay, and placed orders do. */
  changePromotion(fields: PromotionFields): Promise<PromotionSaved>
  /** Orders are placed without it from now on. False if it is off already, or unknown. */
  switchOff(code: string, at: Instant): Promise<boolean>
  /** False if it is on already, or unknown. */
  switchOn(code: string): Promise<boolean>
}
