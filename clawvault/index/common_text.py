"""What many notes hold, for zlib to refer to from the first word of a text on.

A passage is too short to repeat itself much. Where it is neither English nor Markdown little is won, and nothing lost.
"""

from __future__ import annotations

from typing import Final

# What is used most stands last, where zlib refers to it in the fewest bits. Every text of an index is packed with it,
# so that a change needs a new version of the index.
COMMON_TEXT: Final = (
    b"| --- | --- | --- |\n"
    b"## Sources\n"
    b"https://github.com/ https://www. https://en.wikipedia.org/wiki/ .html .com/ .org/ .md) - [ ] - [x] tags: "
    b"[ date: 20 title:\n"
    b"<https:// ![ ](../ assets/ images/ .png) ](https:// [[ ]]\n"
    b"January February March April May June July August September October November December Monday Tuesday "
    b"Wednesday Thursday Friday Saturday Sunday\n"
    b'<div class="</div><span></span> import from const function return async await export default class def '
    b"self. None True False null undefined console.log( new String int public private static void for (let i = "
    b'0; if (err != nil) { try catch print(" echo $HOME/ sudo apt install npm install pip install git commit '
    b'-m " --help --version docker run -it SELECT * FROM WHERE id = INSERT INTO CREATE TABLE JOIN ON ORDER BY '
    b"LIMIT\n"
    b"```sql\n"
    b"```yaml\n"
    b"```json\n"
    b"```python\n"
    b"```javascript\n"
    b"```bash\n"
    b"$\n"
    b"because about after again all also always and another any are around as ask at away back be because been "
    b"before being between both but by call came can change come could data day did different do does done "
    b"down each end even every example file find first follow for found from full get getting give go going "
    b"good great group had has have having he help her here him his home how however I idea if important in "
    b"information instead into is issue it its just keep kind know large last later left less let like line "
    b"list little local long look made make many may me mean means meeting might more most much must my name "
    b"need needs never new next no not note notes now number of off old on once one only open or order other "
    b"our out over own part people place plan possible problem project question rather read really reason "
    b"right run same say second see set should show since small so some something start state still such "
    b"support system take team text than thanks that the their them then there these they thing things think "
    b"this those through time to today together too two under until up update us use used user users using "
    b"value version very want was way we week well were what when where whether which while who why will with "
    b"within without word work working would write year years yes you your It's don't doesn't can't won't "
    b"isn't I'm I've you're that's there's let's didn't For example, However, In this case, As a result, This "
    b"means that In order to You can also If you want to We need to It is possible to one of the at the end of "
    b"the as well as the of the in the to the on the for the and the with the from the that the is a in a to "
    b"be it is to use has been will be such as a lot of be able to there is a there are The following If you "
    b"are This is a When you "
)
