"""The codes of all diagnostics, with the arguments of their wording."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Severity(Enum):
    """How grave a diagnostic is: only errors keep rules from being played."""

    ERROR = "error"
    WARNING = "warning"


E, W = Severity.ERROR, Severity.WARNING

#: Every code with its severity: R00 files, R01 syntax, R02 names, R03 types, R04 shape, R05 words, R06 play,
#: R07 cases and lessons.
CODES: Mapping[str, Severity] = {
    "R0001": E,  # file cannot be read                       {path}
    "R0002": E,  # file is too large                         {size} {limit}
    "R0003": E,  # not UTF-8                                 {line}
    "R0004": E,  # no such game or file                      {name}
    "R0005": E,  # variants that build on each other in a ring  {names}
    "R0006": E,  # the base of a variant cannot be found     {name}
    "R0007": E,  # a document of a word processor            {path}
    "R0008": E,  # a combination of variants of different games  {name} {what}
    "R0009": E,  # a pack that cannot be used                {path}
    "R0010": W,  # the base of a pack has changed            {name} {things}
    "R0101": E,  # unexpected word                           {found} {expected}
    "R0102": E,  # indentation that fits no line above
    "R0103": E,  # a character that the language does not know  {character}
    "R0104": E,  # nested too deeply                         {limit}
    "R0105": E,  # line too long / too many words in a line  {limit}
    "R0106": E,  # tab in the indentation
    "R0107": E,  # unfinished: the block or line ends early  {expected}
    "R0108": E,  # article of a variant in a game file, or the reverse  {article}
    "R0109": E,  # number too large                          {limit}
    "R0110": E,  # file has no game or variant line
    "R0111": E,  # a character that nobody sees              {character}
    "R0201": E,  # unknown name                              {name}
    "R0202": E,  # declared twice                            {name}
    "R0203": E,  # a name of another sort than needed        {name} {found} {expected}
    "R0204": W,  # never used                                {name}
    "R0205": E,  # word of the language used as a name       {name}
    "R0206": E,  # variant replaces, removes or sets what does not exist  {name}
    "R0207": E,  # variant adds what exists already          {name}
    "R0208": E,  # unknown option                            {name}
    "R0209": E,  # local name hides another                  {name}
    "R0210": E,  # book not declared                         {name}
    "R0211": E,  # variant removes what is still needed      {name}
    "R0212": E,  # variant changes the same thing twice      {name}
    "R0213": E,  # the base's table or deck has no such part {name} {what}
    "R0214": E,  # two variants that are combined change the same thing  {name}
    "R0215": E,  # keyword of another language used as a name  {name}
    "R0216": E,  # table: row and column the wrong way round  {table}
    "R0301": E,  # wrong type                                {found} {expected}
    "R0302": E,  # wrong number of arguments                 {name} {found} {expected}
    "R0303": E,  # not something that can be changed         {name}
    "R0304": E,  # these two cannot be compared              {left} {right}
    "R0305": E,  # value outside of its range                {value} {low} {high}
    "R0306": E,  # a rule that gives nothing is used as a value  {name}
    "R0307": E,  # a range that begins with its greater number  {low} {high}
    "R0401": E,  # table: missing row                        {table} {row}
    "R0402": E,  # table: missing or surplus cell            {table} {row} {found} {expected}
    "R0403": E,  # deck: counts disagree with its total      {deck} {found} {expected}
    "R0404": E,  # board: an area touches nothing            {area}
    "R0405": E,  # board: touching only one way              {area} {other}
    "R0406": E,  # a choice that could have no option        {choice}
    "R0407": E,  # a loop that nothing ends
    "R0408": E,  # rules that call each other in a ring      {names}
    "R0409": W,  # option that can never be chosen           {option}
    "R0410": W,  # statements that are never reached
    "R0411": W,  # article without a source                  {article}
    "R0412": E,  # missing article                           {article}
    "R0413": E,  # a decision where none may be              {name}
    "R0414": E,  # too large                                 {what} {found} {limit}
    "R0415": E,  # game could never be decided: no `winner` and no `end game`
    "R0416": E,  # statement that belongs elsewhere          {statement}
    "R0417": E,  # the same option twice in a choice         {option}
    "R0418": E,  # message used with different arguments     {name}
    "R0419": E,  # an effect for a card that needs other parameters   {name}
    "R0420": E,  # something changes where it is only asked
    "R0421": E,  # a pile cannot hold the deck               {deck} {found} {name} {limit}
    "R0422": E,  # no ending can be reached
    "R0423": E,  # table: missing column                     {table} {column}
    "R0424": E,  # a message says other than its statement   {name} {found}
    "R0425": E,  # track: missing stretch                    {name} {value}
    "R0426": E,  # takes too much work before play           {what} {limit}
    "R0427": W,  # people decide, and nothing is ever told
    "R0428": E,  # paths: a side that cards do not have on their board  {value} {name} {high}
    "R0429": W,  # paths: one card has no path from a side where all others have one  {name} {what} {sides}
    "R0501": W,  # a name without a term                     {name} {languages}
    "R0502": W,  # a message without a sentence              {name} {languages}
    "R0503": E,  # something wrong in the files of words     {what}
    "R0504": E,  # a folder of words that is no language's   {name}
    "R0506": W,  # two names of a rule are called alike      {one} {other} {name} {words} {languages}
    "R0601": E,  # step budget used up                       {rule}
    "R0602": E,  # moved more than there is                  {rule}
    "R0603": E,  # value left its range                      {rule} {name}
    "R0604": E,  # what was said to be impossible happened   {rule}
    "R0605": E,  # a pile or slot was empty                  {rule}
    "R0606": E,  # a zone is full                            {rule}
    "R0607": E,  # game took too many decisions              {limit}
    "R0608": E,  # divided by zero                           {rule}
    "R0609": E,  # nothing to choose from                    {rule}
    "R0610": E,  # something of nobody, or beyond the edge   {rule}
    "R0701": E,  # something wrong in a file of cases        {what}
    "R0702": E,  # something wrong in a lesson               {what}
    "R0703": W,  # a hint of a lesson without a sentence     {name} {languages}
}
