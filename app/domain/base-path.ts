/** Where the product lives on its host (spec, section 2); paths follow it with a slash of their own. */
export const BASE = "/checkout"
