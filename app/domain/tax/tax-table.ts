import type { Day } from "../calendar"
import type { Country } from "../customers/country"
import { STANDARD, type TaxRate } from "./tax"

/**
 * When the table below was drawn up. It is a draft: an operator confirms the rates of the countries sold to before anything is
 * taxed, and puts their own in the shop file where one differs.
 */
export const TAX_TABLE_OF: Day = "2026-01-01"

/** Standard rates of the Union, the United Kingdom and Switzerland, in basis points, and since when. */
const standardRates: readonly (readonly [Country, number, Day])[] = [
  ["AT", 2_000, "1984-01-01"],
  ["BE", 2_100, "1996-01-01"],
  ["BG", 2_000, "1999-01-01"],
  ["CH", 810, "2024-01-01"],
  ["CY", 1_900, "2014-01-13"],
  ["CZ", 2_100, "2013-01-01"],
  ["DE", 1_900, "2021-01-01"],
  ["DK", 2_500, "1992-01-01"],
  ["EE", 2_400, "2025-07-01"],
  ["ES", 2_100, "2012-09-01"],
  ["FI", 2_550, "2024-09-01"],
  ["FR", 2_000, "2014-01-01"],
  ["GB", 2_000, "2011-01-04"],
  ["GR", 2_400, "2016-06-01"],
  ["HR", 2_500, "2012-03-01"],
  ["HU", 2_700, "2012-01-01"],
  ["IE", 2_300, "2021-03-01"],
  ["IT", 2_200, "2013-10-01"],
  ["LT", 2_100, "2009-09-01"],
  ["LU", 1_700, "2024-01-01"],
  ["LV", 2_100, "2012-07-01"],
  ["MT", 1_800, "2004-01-01"],
  ["NL", 2_100, "2012-10-01"],
  ["PL", 2_300, "2011-01-01"],
  ["PT", 2_300, "2011-01-01"],
  ["RO", 2_100, "2025-08-01"],
  ["SE", 2_500, "1990-07-01"],
  ["SI", 2_200, "2013-07-01"],
  ["SK", 2_300, "2025-01-01"],
]

export const taxTable: readonly TaxRate[] = standardRates.map(([country, basisPoints, from]) => ({
  country,
  category: STANDARD,
  basisPoints,
  from,
  until: null,
}))
