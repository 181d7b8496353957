/** Name of the form field with the price that the page showed for cycles of a service, in minor units. */
export const shownField = (serviceId: string, cycles: number) => `price ${serviceId} ${cycles}`

/** Error of a form whose services cannot be renewed like that; the page has the text from its loader. */
export const NOT_RENEWABLE = "not-renewable"
