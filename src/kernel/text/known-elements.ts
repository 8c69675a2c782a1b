/** Whether a word names an element of HTML, SVG or MathML, also an obsolete one, in any letter case (contract TXT-02). */
export function isKnownElement(word: string): boolean {
  return KNOWN.has(word.toLowerCase());
}

const HTML =
  'a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br ' +
  'button canvas caption center cite code col colgroup command content data datalist dd del details dfn dialog dir div ' +
  'dl dt element em embed fencedframe fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head ' +
  'header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li link listing main map mark ' +
  'marquee menu menuitem meta meter multicol nav nextid nobr noembed noframes noscript object ol optgroup option output ' +
  'p param picture plaintext portal pre progress q rb rbc rp rt rtc ruby s samp script search section select ' +
  'selectedcontent shadow slot small source spacer span strike strong style sub summary sup table tbody td template ' +
  'textarea tfoot th thead time title tr track tt u ul var video wbr xmp';

const SVG =
  'altglyph altglyphdef altglyphitem animate animatecolor animatemotion animatetransform circle clippath cursor defs ' +
  'desc discard ellipse feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting ' +
  'fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge ' +
  'femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence filter flowdiv ' +
  'flowline flowpara flowregion flowroot flowspan foreignobject g glyph glyphref handler hatch hatchpath hkern line ' +
  'lineargradient listener marker mask mesh meshgradient meshpatch meshrow metadata mpath path pattern polygon polyline ' +
  'prefetch radialgradient rect set solidcolor stop svg switch symbol tbreak text textpath tref tspan unknown use view ' +
  'vkern';

const MATHML =
  'abs and annotation apply approx arccos arccosh arccot arccoth arccsc arccsch arcsec arcsech arcsin arcsinh arctan ' +
  'arctanh arg bind bvar card cartesianproduct cbytes ceiling cerror ci cn codomain complexes compose condition ' +
  'conjugate cos cosh cot coth cs csc csch csymbol curl declare degree determinant diff divergence divide domain ' +
  'domainofapplication emptyset eq equivalent eulergamma exists exp exponentiale factorial factorof false floor fn ' +
  'forall gcd geq grad gt ident imaginary imaginaryi implies in infinity int integers intersect interval inverse lambda ' +
  'laplacian lcm leq limit list ln log logbase lowlimit lt maction maligngroup malignmark math matrix matrixrow max mean ' +
  'median menclose merror mfenced mfrac mglyph mi min minus mlabeledtr mlongdiv mmultiscripts mn mo mode moment ' +
  'momentabout mover mpadded mphantom mprescripts mroot mrow ms mscarries mscarry msgroup msline mspace msqrt msrow ' +
  'mstack mstyle msub msubsup msup mtable mtd mtext mtr munder munderover naturalnumbers neq none not notanumber notin ' +
  'notprsubset notsubset or otherwise outerproduct partialdiff pi piece piecewise plus power primes product prsubset ' +
  'quotient rationals real reals reln rem root scalarproduct sdev sec sech selector semantics sep setdiff share sin sinh ' +
  'subset sum tan tanh tendsto times transpose true union uplimit variance vector vectorproduct xor';

const KNOWN = new Set([HTML, SVG, MATHML].flatMap((names) => names.split(' ')));
