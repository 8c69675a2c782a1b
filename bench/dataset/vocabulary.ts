/** The words for the texts of the data set. */
const words = (text: string) => text.trim().split(/\s+/);

export const ADJECTIVES = words(`Open Grand Late Early Quiet Great Little Royal Modern Old New Free Urban Rural Northern
  Southern Annual Weekly Monthly First Last Golden Silver Blue Red Green Winter Summer Spring Autumn Nordic Baltic
  Alpine Coastal Electric Acoustic Classical Young Mobile Secret`);
export const NOUNS =
  words(`Concert Lecture Workshop Market Exhibition Reading Screening Rehearsal Congress Meetup Course
  Tournament Ball Premiere Guided-Tour Picnic Parade Hackathon Seminar Auction Regatta Marathon Fair Séance Réception
  Frühschoppen Matinée Vernissage Debate Yoga Choir Jam Ceilidh Quiz Brunch Hike Vigil Gala Retreat Clinic`);
export const CITIES =
  words(`Lyon Köln Łódź Malmö Porto Gdańsk Zürich Århus Brno Bergen Nantes Leipzig Sevilla Torino Gent
  Tartu Graz Bilbao Bologna Utrecht Dresden Kraków Linz Turku Cork Bristol Leeds Austin Portland Osaka`);
export const COUNTRIES = ['France', 'Germany', 'Poland', 'Sweden', 'Portugal', 'United States', 'Japan', 'Austria'];
export const NAMES = words(
  `Ann Bob Zoë Søren Łukasz Éva Jürgen Mia Noah Ida Omar Lin Ravi Sofía Yuki Tomás Greta Olga`,
);
export const SURNAMES = words(
  `Berg Novak Silva Kowalski Meyer Rossi Laurent Jensen Smith Tanaka Patel García Nowak Weiß`,
);
export const COLOURS = words(
  `amber azure coral crimson emerald indigo ivory jade lilac ochre olive pearl plum ruby sand`,
);
export const SUBJECTS = words(
  `Music Theatre Film Dance Sport Food Books Science Nature Crafts Games History Art Family`,
);
export const SENTENCES = [
  'Doors open half an hour before the start; latecomers are let in during the first break.',
  'Tickets are sold at the box office and online as long as there are any left.',
  'The evening begins with a short introduction to the work and to the people behind it.',
  'Children under twelve pay nothing when they come with a grown-up.',
  'Bring sturdy shoes and something to drink: the way is long and there is little shade.',
  'Afterwards there is time for talk, for music, and for a glass of wine in the foyer.',
  'The programme ranges from the well known to what was thought lost for two centuries.',
  'Seats are not numbered, and the hall is accessible to wheelchairs throughout.',
  'In bad weather the event moves to the gymnasium of the school across the street.',
  'With <strong>live captions</strong> and an interpreter for sign language.',
  'See <a href="https://events.example/info">the information desk</a> for directions & parking.',
  'Été comme hiver, la maison vous accueille dès dix-huit heures.',
  'Bitte meldet euch bis zum Freitag davor an; die Plätze sind begrenzt.',
];
/** Occurs in about every seventh event. */
export const COMMON_WORD = 'festival';
/** Occurs in about one event of a thousand. */
export const RARE_WORD = 'xylophone';
export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/Paris',
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Tokyo',
].concat(['Asia/Kolkata', 'Australia/Sydney', 'UTC+2']);
