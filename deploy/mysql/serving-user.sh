# Makes the user that serves, who may read and write rows and nothing else. The image of MySQL reads this file when it makes
# the files of a new database: `docker_process_sql` is a function of it. MYSQL_SERVING_PASSWORD_FILE: a file with the password.
(
  password=$(<"${MYSQL_SERVING_PASSWORD_FILE:?}")
  password=${password//\\/\\\\}
  docker_process_sql <<SQL
CREATE USER kalends IDENTIFIED BY '${password//\'/\'\'}';
GRANT SELECT, INSERT, UPDATE, DELETE ON kalends.* TO kalends;
SQL
)
