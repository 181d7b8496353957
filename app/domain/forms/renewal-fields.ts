/** What the forms for renewals and for changes of plan share with the screens: without zod, which the browser does not load. */

/** Name of the form field with the price that the page showed for cycles of a service, or for an invoice, in minor units. */
export const shownField = (serviceId: string, chosen: number | string) => `price ${serviceId} ${chosen}`

/** Error of a form whose services cannot be renewed like that; the page has the text from its loader. */
export const NOT_RENEWABLE = "not-renewable"

/** Error of a form for a change of plan whose figures have changed; the page has the text from its loader. */
export const REFUSED_PLAN_CHANGE = "plan.refused"

/** Error of a form for a change of plan that external billing has refused to make; the page has the text from its loader. */
export const NOT_MADE_PLAN_CHANGE = "plan.notMade"
